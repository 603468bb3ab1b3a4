import * as z from 'zod/mini';
import { htmlType } from '../../shared/contract/headers.ts';
import { notModified, pageHeaders, storedHeaders } from '../../shared/contract/other-responses.ts';
import { ConditionalHeaders } from '../../shared/fields/conditional-headers.ts';

/** A deployment changes both. Its canary lasts five minutes too, in which two versions respond. */
export const cacheSeconds = 300;

/** Each reader needs one of each, and a cache keeps it: 50 a second are 180,000 readers an hour. */
export const throttle = { ratePerSecond: 50, burst: 100 };

export const pageParts = {
  method: 'GET',
  auth: 'none',
  throttle,
  headers: ConditionalHeaders,
  response: z.string(),
  produces: htmlType,
  cacheSeconds,
  responseHeaders: [...storedHeaders, ...pageHeaders],
  otherResponses: [notModified(...pageHeaders)],
} as const;
