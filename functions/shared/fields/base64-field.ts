import * as z from 'zod/mini';
import { base64Size } from './base64.ts';

/** A field that is Base64 text of so many bytes; sizes are those of the decoded bytes. */
export function base64Field(minBytes: number, maxBytes: number) {
  return z.string().check(
    z.check<string>(({ value, issues }) => {
      const size = base64Size(value);
      const refuse = (message: string) => issues.push({ code: 'custom', input: value, message });
      if (size === undefined) refuse('must be Base64 (standard or URL alphabet, padding optional)');
      else if (size < minBytes || size > maxBytes)
        refuse(`must hold ${minBytes} to ${maxBytes} bytes, this holds ${size}`);
    }),
  );
}

/** An initialization vector: 12 bytes for AES-GCM, but who encrypts decides. */
export const ivField = base64Field(1, 64).check(
  z.meta({ description: 'Base64 initialization vector, 1 to 64 bytes.', examples: ['AAECAwQFBgcICQoL'] }),
);
