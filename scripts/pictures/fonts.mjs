import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

// The default of a Debian without a desktop is a font that few people see.
const FONTS = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
${['system-ui', 'ui-sans-serif', 'sans-serif'].map((name) => toAlias(name, 'Liberation Sans')).join('')}
${['ui-monospace', 'monospace'].map((name) => toAlias(name, 'Liberation Mono')).join('')}
</fontconfig>`;

/**
 * Writes the fonts of the pictures into a folder, and returns the file for `FONTCONFIG_FILE`.
 * @param {string} folder
 */
export function writeFonts(folder) {
  const file = join(folder, 'fonts.conf');
  writeFileSync(file, FONTS);
  return file;
}

/**
 * @param {string} name
 * @param {string} font
 */
function toAlias(name, font) {
  return `<match target="pattern"><test name="family"><string>${name}</string></test><edit name="family" mode="prepend" binding="strong"><string>${font}</string></edit></match>`;
}
