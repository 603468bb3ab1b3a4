import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { type Registered, registeredRoutes } from '../functions/routes.ts';
import type { Grants } from '../functions/shared/contract/route.ts';
import { type RegisteredTimer, registeredTimers } from '../functions/timers.ts';
import { writeReferenceFiles } from './reference-files.ts';

const root = join(import.meta.dirname, '..');

/** One function, ready to deploy. */
export interface Bundle {
  /** `shares.open`. */
  readonly id: string;
  /** Holds `index.js`, whose `handler` is the function, and the files its route is granted. */
  readonly directory: string;
  /** Size of the code. */
  readonly bytes: number;
}

type Entry = Registered | RegisteredTimer;

export interface BundleOptions {
  /** All routes and timers by default. */
  readonly registry?: readonly Entry[];
  /** The source of a function, relative to the project. */
  readonly entry?: (registered: Entry) => string;
  /** Writes the files that `grants.files` names into a directory. */
  readonly writeFiles?: (directory: string) => Promise<void>;
  /** Modules replaced by others. */
  readonly alias?: Record<string, string>;
}

const defaults = {
  entry: ({ service, name }: Entry) => `functions/${service}/${name}.ts`,
  writeFiles: writeReferenceFiles,
  alias: {
    '@aws-sdk/credential-provider-node': './lib/env-credentials.ts',
    // What jsPDF draws pictures and web pages with: half a megabyte that no invoice needs.
    canvg: './lib/empty-module.ts',
    dompurify: './lib/empty-module.ts',
    'fast-png': './lib/empty-module.ts',
    html2canvas: './lib/empty-module.ts',
  },
};

/**
 * Bundles every function with all it imports, in one call of esbuild; the same sources give the same bytes.
 *
 * The SDK is bundled too: loading it from the bundle is faster than loading the runtime's copy, and the
 * version is the one that was tested.
 *
 * @param outDir emptied first; gets one directory a function.
 */
export async function bundleFunctions(outDir: string, options: BundleOptions = {}): Promise<Bundle[]> {
  const {
    registry = [...registeredRoutes(), ...registeredTimers()],
    entry,
    writeFiles,
    alias,
  } = { ...defaults, ...options };
  const target = resolve(outDir);
  await rm(target, { recursive: true, force: true });
  const bundles = registry.map((registered) => ({
    registered,
    directory: join(target, registered.id.replace('.', '-')),
  }));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: bundles.map(({ registered, directory }) => ({
      in: entry(registered),
      out: join(directory, 'index'),
    })),
    outdir: target,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    // Importing Node's own modules as ES modules reads every export of theirs, which loads undici behind
    // `node:http` and WebCrypto behind `node:crypto`: 10 ms and more of a cold start. `require` does not.
    format: 'cjs',
    supported: { 'dynamic-import': false },
    // The packages' ES modules: what a function does not use is left out.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    alias,
    metafile: true,
    logLevel: 'warning',
  });
  await copyFiles(bundles, writeFiles);
  return bundles.map(({ registered: { id }, directory }) => {
    const code = metafile.outputs[relative(root, join(directory, 'index.js'))];
    if (code === undefined) throw new Error(`${id} was not bundled`);
    return { id, directory, bytes: code.bytes };
  });
}

function grantsOf(entry: Entry): Grants {
  return 'route' in entry ? entry.route.grants : entry.timer.grants;
}

/** Packs the files a route is granted beside its code. */
async function copyFiles(
  bundles: readonly { registered: Entry; directory: string }[],
  writeFiles: (directory: string) => Promise<void>,
): Promise<void> {
  const granted = bundles.flatMap(({ registered, directory }) =>
    (grantsOf(registered).files ?? []).map((file) => ({ id: registered.id, file, directory })),
  );
  if (granted.length === 0) return;
  const source = await mkdtemp(join(tmpdir(), 'vouchsafe-files-'));
  try {
    await writeFiles(source);
    const written = await readdir(source);
    for (const { id, file, directory } of granted) {
      if (!written.includes(file)) throw new Error(`${id} is granted ${file}, which nothing writes`);
      const copy = join(directory, file);
      await mkdir(dirname(copy), { recursive: true });
      await copyFile(join(source, file), copy);
    }
  } finally {
    await rm(source, { recursive: true, force: true });
  }
}
