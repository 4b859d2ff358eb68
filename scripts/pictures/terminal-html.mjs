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

const ESCAPE = String.fromCharCode(27);

/** @typedef {{ isBold: boolean, isDim: boolean, isInverse: boolean, color: string | undefined }} Look */

/** @type {Look} */
const PLAIN = { isBold: false, isDim: false, isInverse: false, color: undefined };

/**
 * A screen of a terminal, as tmux captures it with its colors, as HTML.
 * @param {string} screen
 */
export function toHtml(screen) {
  let look = PLAIN;
  const parts = screen.split(new RegExp(`${ESCAPE}\\[([\\d;]*)m`));
  const spans = parts.map((part, index) => {
    if (index % 2 === 0) return `<span style="${toStyle(look)}">${escape(part)}</span>`;
    look = part.split(';').reduce(change, look);
    return '';
  });
  return `<pre>${spans.join('')}</pre>`;
}

/**
 * What a code of the terminal changes.
 * @param {Look} look
 * @param {string} code
 * @returns {Look}
 */
function change(look, code) {
  if (code === '' || code === '0') return PLAIN;
  if (code === '1') return { ...look, isBold: true };
  if (code === '2') return { ...look, isDim: true };
  if (code === '22') return { ...look, isBold: false, isDim: false };
  if (code === '7') return { ...look, isInverse: true };
  if (code === '27') return { ...look, isInverse: false };
  if (code === '39') return { ...look, color: undefined };
  return code in COLORS ? { ...look, color: COLORS[code] } : look;
}

/** @param {Look} look */
function toStyle({ isBold, isDim, isInverse, color = '#d7dde8' }) {
  const colors = isInverse ? `background:${color};color:#14181f;` : `color:${color};`;
  return `${colors}${isBold ? 'font-weight:bold;' : ''}${isDim ? 'opacity:0.65;' : ''}`;
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
