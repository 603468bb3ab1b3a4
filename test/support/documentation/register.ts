/** Loaded with `--import` into a local stack that is a process of its own: compares the responses of its handlers. */

import { registerHooks } from 'node:module';
import { loadedSource } from './module.ts';

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    const source = url.startsWith('file:') ? loadedSource(url, String(loaded.source ?? '')) : undefined;
    return source === undefined ? loaded : Object.assign(loaded, { source });
  },
});
