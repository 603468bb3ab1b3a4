import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheControl } from '../contract/headers.ts';
import { Reply } from '../contract/route.ts';
import * as env from '../runtime/env.ts';

export interface DeployedFile {
  readonly text: string;
  /** A strong entity tag of the text, in quotes: RFC 9110 section 8.8.3. */
  readonly etag: string;
}

/** By path, cached for the life of the process: the files change only with a deployment. */
const files = new Map<string, Promise<DeployedFile>>();

export function deployedFile(name: string): Promise<DeployedFile> {
  const path = join(env.filesDir(), name);
  const file = files.get(path) ?? readDeployedFile(path);
  files.set(path, file);
  return file;
}

async function readDeployedFile(path: string): Promise<DeployedFile> {
  return textFile(await readFile(path, 'utf8'));
}

/** Parsing one takes 50 ms. */
const parsed = new WeakMap<DeployedFile, Readonly<Record<string, string>>>();

/** One text of a deployed file that holds several as JSON, by their names; undefined for a name that it does not have. */
export async function deployedPart(name: string, part: string): Promise<DeployedFile | undefined> {
  const file = await deployedFile(name);
  const parts: Readonly<Record<string, string>> = parsed.get(file) ?? JSON.parse(file.text);
  parsed.set(file, parts);
  return Object.hasOwn(parts, part) ? textFile(parts[part] ?? '') : undefined;
}

export function textFile(text: string): DeployedFile {
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

/**
 * A response with a text that caches may store; 304 without a body to a caller that has it.
 *
 * The tag is that of the text. API Gateway compresses the response after it, so that the compressed and the plain form
 * share the tag, and `Vary` separates them in caches. No other request could confuse the two: the API supports no ranges,
 * and a file is never written by a request.
 *
 * @param ifNoneMatch the header `If-None-Match`.
 * @param headers in addition to those of caching.
 * @param vary the request headers that the response depends on.
 */
export function fileReply(
  { text, etag }: DeployedFile,
  ifNoneMatch: string | undefined,
  cacheSeconds: number,
  headers: Readonly<Record<string, string>> = {},
  vary = 'accept-encoding',
): Reply {
  const isCurrent = ifNoneMatch !== undefined && matches(ifNoneMatch, etag);
  return new Reply(isCurrent ? 304 : 200, {
    headers: { ...headers, etag, 'cache-control': cacheControl(cacheSeconds), vary },
    body: isCurrent ? '' : text,
  });
}

/**
 * Whether a list of entity tags has this one. The comparison is the weak one of `If-None-Match`, RFC 9110 section 13.1.2:
 * a proxy that compresses a response makes its tag a weak one (`W/"..."`).
 */
function matches(ifNoneMatch: string, etag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
