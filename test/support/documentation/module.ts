/** Rewrites the file of an endpoint, wherever a test loads it, so that its handler is compared with the document. */

import { fileURLToPath } from 'node:url';

const handlersModule = new URL('./handlers.ts', import.meta.url);
const endpointFile = /\/functions\/([a-z-]+)\/([a-z-]+)\.ts$/;
const declaration = 'export const handler = ';

/**
 * The source of a module, with a compared handler if it is an endpoint; else undefined. The lines keep their numbers.
 *
 * @param url a file URL or a path.
 * @param specifier how the module imports `handlers.ts`.
 */
function withComparedHandler(url: string, source: string, specifier: string): string | undefined {
  const [, service, name] = endpointFile.exec(url) ?? [];
  if (name === undefined || !source.includes(declaration) || !/endpoint\(/i.test(source)) return undefined;
  return [
    source.replace(declaration, 'const ownHandler = '),
    `import { compared } from ${JSON.stringify(specifier)};`,
    `export const handler = compared(${JSON.stringify(`${service}.${name}`)}, ownHandler);`,
  ].join('\n');
}

/** The plugin of Vitest, for handlers that run in the process of a test. */
export const comparedHandlers = {
  name: 'compared-handlers',
  enforce: 'pre' as const,
  transform: (source: string, path: string) =>
    withComparedHandler(path, source, fileURLToPath(handlersModule)),
};

/** Arguments of Node.js for a local stack that is a process of its own. */
export const comparingResponses = ['--import', new URL('./register.ts', import.meta.url).href];

/** For such a process: the source of a module that Node.js loads. */
export const loadedSource = (url: string, source: string) =>
  withComparedHandler(url, source, handlersModule.href);
