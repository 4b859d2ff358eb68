/** The colors that our terminal texts use, on a dark screen. @type {Readonly<Record<string, string>>} */
const COLORS = {
  31: '#ff8080',
  32: '#8be9a8',
  33: '#f1d27a',
  34: '#8ab4ff',
  35: '#e0a3ff',
  36: '#7fe0e8',
  90: '#8b95a7',
};

/**
 * A screen of a terminal, as tmux captures it with its colors, as HTML.
 * @param {string} screen
 */
export function toHtml(screen) {
  let style = '';
  const parts = screen.split(/\u001b\[([\d;]*)m/);
  const spans = parts.map((part, index) => {
    if (index % 2 === 0) return `<span style="${style}">${escape(part)}</span>`;
    style = toStyle(part, style);
    return '';
  });
  return `<pre>${spans.join('')}</pre>`;
}

/**
 * @param {string} codes
 * @param {string} before
 */
function toStyle(codes, before) {
  return codes.split(';').reduce((style, code) => {
    if (code === '' || code === '0') return '';
    if (code === '1') return `${style}font-weight:bold;`;
    if (code === '2') return `${style}opacity:0.65;`;
    if (code === '7') return `${style}background:#d7dde8;color:#14181f;`;
    if (code === '39') return style.replaceAll(/color:#\w+;/g, '');
    const color = COLORS[code];
    return color === undefined ? style : `${style}color:${color};`;
  }, before);
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
