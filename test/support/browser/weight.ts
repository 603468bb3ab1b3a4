import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';

/** API Gateway compresses bodies from this size: `minCompressionSize` in lib/deployment/stacks/gateway-stack.ts. */
const compressedFromBytes = 1_024;

/** The resources of a visit. */
export interface Weight {
  requests: number;
  /** Bytes of all bodies, compressed with gzip as API Gateway does. */
  bytes: number;
  /** The requested paths, in order. */
  paths: string[];
  scripts: number;
}

/** Goes to a page and counts what it and its scripts load. The page has to be new: nothing is cached. */
export async function weightOf(page: Page, url: string): Promise<Weight> {
  const responses: Response[] = [];
  const collect = (response: Response) => responses.push(response);
  page.on('response', collect);
  await page.goto(url);
  const scripts = Number(await page.evaluate('document.scripts.length'));
  if (scripts > 0) await page.waitForLoadState('networkidle');
  page.off('response', collect);
  const bodies = await Promise.all(responses.map((response) => response.body().catch(() => Buffer.alloc(0))));
  return {
    requests: responses.length,
    bytes: bodies.reduce((sum, body) => sum + sentBytes(body), 0),
    paths: responses.map((response) => new URL(response.url()).pathname),
    scripts,
  };
}

const sentBytes = (body: Buffer) => (body.length < compressedFromBytes ? body.length : gzipSync(body).length);
