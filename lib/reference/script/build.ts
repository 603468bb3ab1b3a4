/** Bundles the script of the pages. */
import { browserScript, inlineScript } from '../../deployment/bundling/browser-script.ts';

/** Where pages are served from. Those of a local stack are filled with its demo data, and send their examples to it. */
export type Origin = 'deployed' | 'local';

/** The script of the pages of an origin. */
export interface PageScript {
  readonly origin: Origin;
  readonly text: string;
}

const entryPoints: Readonly<Record<Origin, string>> = {
  deployed: 'lib/reference/script/main.ts',
  local: 'lib/reference/script/local.ts',
};

/** Bundles the script of an origin. */
export async function pageScript(origin: Origin): Promise<PageScript> {
  return { origin, text: await browserScript(entryPoints[origin], inlineScript) };
}
