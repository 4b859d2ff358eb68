// A picture of the inbox page for docs/images/.
import UPNG from 'upng-js';

/**
 * Takes a picture of a page. The projects of the pictures are in `folder`, which only this machine has: the picture
 * says `/home/ada` instead.
 * @param {import('playwright-core').Page} page
 * @param {string} folder
 */
export async function takePicture(page, folder) {
  await page.evaluate(replaceInTexts, [folder, '/home/ada']);
  return toPalette(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
}

/**
 * Runs in the page.
 * @param {string[]} texts
 */
function replaceInTexts([from = '', to = '']) {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode } = walker;
    if (currentNode.nodeValue?.includes(from)) currentNode.nodeValue = currentNode.nodeValue.replaceAll(from, to);
  }
}

/**
 * A page has few colors: 256 of them say nearly the same in less than half of the bytes.
 * @param {Buffer} picture
 */
function toPalette(picture) {
  const image = UPNG.decode(new Uint8Array(picture).buffer);
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(image), image.width, image.height, 256));
}
