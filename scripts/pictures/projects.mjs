// The folders of the pictures' agents: real files, so that what the page shows of them is read by the real hook
// command.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TOTAL = `import { exchangeRate } from '../money/rates.ts';
import type { Money } from '../money/money.ts';
import type { Cart, Item } from './cart.ts';

/** What a customer saves by a voucher, in the currency of the cart. */
export function discount(cart: Cart): Money {
  const percent = cart.voucher?.percent ?? 0;
  const amount = cart.items.reduce((sum, item) => sum + toPrice(item) * percent, 0) / 100;
  return { amount, currency: cart.currency };
}

/** The sum of a cart, without shipping. */
export async function total(cart: Cart): Promise<Money> {
  let sum = 0;
  for (const item of cart.items) {
    sum += item.price * item.quantity;
  }
  return { amount: sum, currency: 'EUR' };
}

/** Shipping is free from 50 euros on. */
export function shipping({ amount }: Money): Money {
  return { amount: amount >= 50 ? 0 : 4.9, currency: 'EUR' };
}

function toPrice({ price, quantity }: Item): number {
  return price * quantity;
}
`;

/** The files of each project, and the branch that is checked out. */
const PROJECTS = {
  webshop: {
    branch: 'feature/currency',
    files: {
      'src/cart/total.ts': TOTAL,
      'src/money/rates.ts': 'export async function exchangeRate(currency: string): Promise<number> {\n  return 1;\n}\n',
      'package.json': '{\n  "name": "webshop",\n  "scripts": { "test": "vitest run" }\n}\n',
    },
  },
  api: { branch: 'main', files: { 'src/limits.ts': 'export const LIMIT = 60;\n' } },
  handbook: { branch: 'main', files: { 'docs/refunds.md': '# Refunds\n' } },
  infra: { branch: 'nightly', files: { 'backup.sh': '#!/bin/sh\nset -e\npg_dump shop > shop.sql\n' } },
};

/** @typedef {keyof typeof PROJECTS} ProjectName */

/**
 * Writes all projects into a folder.
 * @param {string} folder
 */
export function writeProjects(folder) {
  for (const [project, { branch, files }] of Object.entries(PROJECTS)) {
    const all = { '.git/HEAD': `ref: refs/heads/${branch}\n`, ...files };
    for (const [path, text] of Object.entries(all)) write(join(folder, project, path), text);
  }
}

/** What Claude wants to change in `src/cart/total.ts`. */
export const EDIT = {
  old_string: `  let sum = 0;
  for (const item of cart.items) {
    sum += item.price * item.quantity;
  }
  return { amount: sum, currency: 'EUR' };`,
  new_string: `  const rate = await exchangeRate(cart.currency);
  let cents = 0;
  for (const item of cart.items) {
    cents += Math.round(toPrice(item) * 100 * rate);
  }
  return { amount: cents / 100, currency: cart.currency };`,
};

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
