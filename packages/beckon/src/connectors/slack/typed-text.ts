const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/**
 * What a person typed. Slack sends it with links and mentions in angle brackets, and with three characters escaped:
 * `<https://example.com|example.com>`, `<@U123>`, `&amp;`.
 */
export function toTypedText(text: string): string {
  return text
    .replaceAll(/<([^<>|]*)(?:\|([^<>]*))?>/g, (_, target: string, label: string | undefined) => toName(target, label))
    .replaceAll(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

function toName(target: string, label: string | undefined): string {
  const sign = target.charAt(0);
  if (sign === '@') return `@${label ?? target.slice(1)}`;
  if (sign === '#') return `#${label ?? target.slice(1)}`;
  // Of "<!subteam^S1|@team>" the label, of "<!here>" the word.
  if (sign === '!') return label ?? `@${target.slice(1)}`;
  return label ?? target.replace(/^mailto:/, '');
}
