import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { registeredRoutes } from '../../../functions/routes.ts';
import { type Bundle, bundleFunctions } from '../../../lib/deployment/bundling/bundle.ts';
import type { Candidate, Start } from './starts.ts';

/** Handlers with the SDK and no code of the suite: a read, and what three of them do in addition. */
const sources = {
  'bare SDK handler': import.meta.resolve('./bare-handler.ts'),
  '  and a secret': import.meta.resolve('./bare-secret.ts'),
  '  and a mail': import.meta.resolve('./bare-mail.ts'),
  '  or an execution': import.meta.resolve('./bare-execution.ts'),
};

/** The handler that makes the same calls. Repeated requests get the same candidate. */
type Alike = (calls: Start['calls'], waves: number[]) => Candidate;

/** Bundles the handlers like the functions, but with the SDK's own credential providers. */
export async function yardsticks(directory: string): Promise<Alike> {
  const bare = await Promise.all(
    Object.entries(sources).map(async ([name, url]) => ({
      name,
      bundle: await bundled(join(directory, basename(url)), fileURLToPath(url)),
      event: () => ({}),
    })),
  );
  const candidates = new Map<string, Candidate>();
  return ([, secret, mail, execution], waves) => {
    const { bundle } = bare[yardstick(secret, mail, execution)] as Candidate;
    const name = `${bundle.directory} ${waves}`;
    const same = candidates.get(name) ?? { name, bundle, event: () => ({ waves }) };
    candidates.set(name, same);
    return same;
  };
}

/** The index of the bare function with the same calls. */
function yardstick(secret: number, mail: number, execution: number): number {
  if (mail > 0) return 2;
  if (execution > 0) return 3;
  return secret > 0 ? 1 : 0;
}

async function bundled(directory: string, source: string): Promise<Bundle> {
  const registry = registeredRoutes().slice(0, 1);
  const [bundle] = await bundleFunctions(directory, { registry, entry: () => source, alias: {} });
  if (bundle === undefined) throw new Error(`${source} was not bundled`);
  return bundle;
}
