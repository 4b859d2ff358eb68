import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestReply } from '../testing/harness/server/test-app.ts';

const VIEWS = ['/', '/i/int_1', '/login', '/history', '/sessions', '/sessions/ses_1', '/statistics', '/devices'];
const INDEX = '<!doctype html><title>Beckon</title>';

let folder: string;
let server: TestApp;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-page-'));
  const page = join(folder, 'inbox');
  mkdirSync(join(page, 'assets'), { recursive: true });
  mkdirSync(join(page, 'icons'));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(page, '.hidden'), 'secret');
  writeFileSync(join(page, 'index.html'), INDEX);
  writeFileSync(join(page, 'assets', 'index-BcD3_-4f.js'), 'export {};');
  writeFileSync(join(page, 'icons', 'icon-192.png'), 'png');
  writeFileSync(join(page, 'manifest.webmanifest'), '{}');
  writeFileSync(join(page, 'sw.js'), '');
  server = await createTestApp({ pageFolder: page });
});
afterAll(async () => {
  await server.dispose();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}): Promise<TestReply> => server.inject({ url, headers });

describe('the page', () => {
  test.each(VIEWS)('is at %s, for anybody, and is never kept', async (path) => {
    for (const url of [path, `${path}?status=pending`]) {
      const { status, text, headers } = await get(url);
      expect([status, text]).toEqual([200, INDEX]);
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    }
  });

  test('is at every other path that a browser asks for as a document', async () => {
    const accept = 'text/html,application/xhtml+xml';
    expect((await get('/settings/sound', { accept })).text).toBe(INDEX);
    expect((await get('/settings/sound')).body.code).toBe('route_not_found');
    expect((await get('/settings/sound', { accept: 'application/json' })).body.code).toBe('route_not_found');
  });

  test.each([
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/hooks/x',
    '/callback/x',
    '/v1/interactions/a/b/c',
    '/healthz/',
    '/metrics/x',
    '/openapi.json/x',
  ])('is never at %s, which belongs to the API', async (path) => {
    const { status, body } = await get(path, { accept: 'text/html' });
    expect([status, body.code]).toEqual([404, 'route_not_found']);
  });

  test('has its files below the path that the browser uses, without a <base>', async () => {
    const below = await createTestApp({
      pageFolder: join(folder, 'inbox'),
      wayIn: { publicUrl: 'https://a.example/team' },
    });
    try {
      const html = '<script src="./theme.js"></script><link href="./assets/a.css"><a href="./">';
      writeFileSync(join(folder, 'inbox', 'index.html'), html);
      for (const url of ['/team/', '/team', '/team/i/int_1', '/', '/i/int_1']) {
        const { text, headers } = await below.inject({ url, headers: { host: 'a.example' } });
        expect({ url, text }).toEqual({ url, text: html.replaceAll('./', '/team/') });
        expect(headers['content-security-policy']).toContain("base-uri 'none'");
      }
      expect((await below.inject({ url: '/' })).text).toBe(html.replaceAll('./', '/'));
      expect((await below.inject({ url: '/team/sw.js' })).status).toBe(200);
    } finally {
      writeFileSync(join(folder, 'inbox', 'index.html'), INDEX);
      await below.dispose();
    }
  });

  test('is read and nothing else', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] as const)
      expect((await server.inject({ method, url: '/', headers: { accept: 'text/html' } })).status).toBe(404);
  });

  test('has files: those whose name changes with their content are cached forever, others are revalidated', async () => {
    expect((await get('/assets/index-BcD3_-4f.js')).headers).toMatchObject({
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
    });
    for (const path of ['/manifest.webmanifest', '/sw.js', '/icons/icon-192.png'])
      expect((await get(path)).headers).toMatchObject({ 'cache-control': 'no-cache', etag: expect.any(String) });
    expect((await get('/index.html')).headers['cache-control']).toBe('no-store');
    const { etag } = (await get('/sw.js')).headers;
    expect((await get('/sw.js', { 'if-none-match': String(etag) })).status).toBe(304);
  });

  test.each([
    '/assets/none.js',
    '/assets/',
    '/assets',
    '/icons',
    '/secret.txt',
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..\\secret.txt',
    '/.hidden',
    '/assets/%00.js',
    '//secret.txt',
  ])('has no file %s', async (path) => {
    const { status, text } = await get(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).not.toContain('secret"');
    expect(text).not.toBe('secret');
  });

  test('is for hosts that are this one alone', async () => {
    for (const url of [...VIEWS, '/sw.js'])
      expect((await get(url, { host: 'evil.example' })).body.code).toBe('host_refused');
  });

  test.each([...VIEWS, '/sw.js', '/assets/index-BcD3_-4f.js'])('lets nothing foreign in or out: %s', async (path) => {
    const { headers } = await get(path);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });
});

describe('a page that is not built', () => {
  test('says how to build it, and is there as soon as it is', async () => {
    const later = join(folder, 'later');
    const other = await createTestApp({ pageFolder: later });
    try {
      for (const url of VIEWS) {
        const { status, text, headers } = await other.inject({ url });
        expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
        expect(text).toContain('npm start');
      }
      expect((await other.inject({ url: '/sw.js' })).body.code).toBe('route_not_found');
      mkdirSync(later);
      writeFileSync(join(later, 'index.html'), INDEX);
      expect((await other.inject({ url: '/' })).text).toBe(INDEX);
    } finally {
      await other.dispose();
    }
  });
});
