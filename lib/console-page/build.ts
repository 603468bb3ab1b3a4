import { browserScript, inlineScript } from '../deployment/bundling/browser-script.ts';

/** Bundles the script of the console, which stands in its pages. */
export const consoleScript = (): Promise<string> => browserScript('lib/console-page/main.ts', inlineScript);
