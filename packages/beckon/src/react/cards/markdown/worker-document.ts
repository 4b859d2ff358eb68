/** The names that HTML itself needs. */
const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': '\u00a0',
};

/**
 * Bundlers choose the parser's build for pages, which asks an element for the character behind a name such as `&lt;`. A
 * worker has no document, so it gets what that build asks for. Other names then stay as they are written.
 */
export function addDocument(scope: object): void {
  if ('document' in scope) return;
  const createElement = () => ({
    innerHTML: '',
    get textContent() {
      return CHARACTERS[this.innerHTML] ?? this.innerHTML;
    },
  });
  Object.assign(scope, { document: { createElement } });
}
