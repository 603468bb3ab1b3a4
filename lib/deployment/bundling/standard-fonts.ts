import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The fonts of an invoice where the file of fonts is missing. No invoice uses the other twelve. */
const used = ['Helvetica', 'HelveticaBold'];

/**
 * Bundles the metrics of the standard fonts of PDF. PDFKit loads them with a `require` that it makes with `createRequire`,
 * which esbuild leaves as it is, and where nothing is installed that finds nothing.
 */
export const standardFonts: Plugin = {
  name: 'standard-fonts',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/pdfkit\/js\/pdfkit\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = used.reduce((text, font) => {
        const call = `require$1('#standard-fonts/${font}')`;
        if (!text.includes(call)) throw new Error(`PDFKit no longer loads ${font} with ${call}`);
        return text.replace(call, `require('./standard-fonts/${font}.cjs')`);
      }, source);
      return { contents, loader: 'js' };
    });
  },
};
