import * as z from 'zod/mini';
import { base64Size } from './base64.ts';

/** A field of Base64 text. Sizes are those of the decoded bytes. */
export function base64Field(minBytes: number, maxBytes: number) {
  return z.string().check(
    z.check<string>(({ value, issues }) => {
      const message = problemOf(base64Size(value), minBytes, maxBytes);
      if (message !== undefined) issues.push({ code: 'custom', input: value, message });
    }),
  );
}

function problemOf(size: number | undefined, minBytes: number, maxBytes: number): string | undefined {
  if (size === undefined) return 'must be Base64 (standard or URL alphabet, padding optional)';
  if (size >= minBytes && size <= maxBytes) return undefined;
  return `must hold ${minBytes} to ${maxBytes} bytes, this holds ${size}`;
}

/** An initialization vector. AES-GCM takes 12 bytes; the client chooses the cipher. */
export const ivField = base64Field(1, 64).check(
  z.meta({ description: 'Base64 initialization vector, 1 to 64 bytes.', examples: ['AAECAwQFBgcICQoL'] }),
);
