import { browserScript } from '../deployment/bundling/browser-script.ts';

/** The browsers of vouchsafe-client: it does the work of the page. */
const browsers = ['chrome92', 'edge92', 'firefox95', 'safari15.4'];

/**
 * Bundles the script of the share page as one module that imports nothing. The name that has the hash of its bytes changes only
 * with its sources.
 */
export const sharePageScript = (): Promise<string> =>
  browserScript('lib/share-page/main.tsx', {
    format: 'esm',
    target: browsers,
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
