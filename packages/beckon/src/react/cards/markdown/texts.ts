export const texts = {
  formatting: 'Formatting…',
  large: (kilobytes: number) => `This text has ${kilobytes} KB, so it is not formatted.`,
  unformatted: 'This text cannot be formatted, so you see it as written.',
  showFormatted: 'Format it',
  image: (alt: string, from: string) => `[Image not loaded: ${alt}${from === '' ? '' : `, from ${from}`}]`,
  noAlt: 'no description',
  embedded: 'the text itself',
  table: 'Table',
  task: { done: 'done', open: 'to do' },
};
