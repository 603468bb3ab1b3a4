import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { type Registered, registeredRoutes } from '../../../functions/routes.ts';
import type { Grants } from '../../../functions/shared/contract/grants.ts';
import { type RegisteredTimer, registeredTimers } from '../../../functions/timers.ts';
import { writeDeployedFiles } from './deployed-files.ts';
import { functionSources } from './function-sources.ts';

/** The fonts of an invoice where the file of fonts is missing. No invoice uses the other twelve. */
const used = ['Helvetica', 'HelveticaBold'];

/**
 * Bundles the metrics of the standard fonts of PDF. PDFKit loads them with a `require` that it makes with `createRequire`,
 * which esbuild leaves as it is, and where nothing is installed that finds nothing.
 */
const standardFonts: Plugin = {
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

const root = join(import.meta.dirname, '../../..');

export interface Bundle {
  /** `shares.open`. */
  readonly id: string;
  /** Contains `index.js` with the exported `handler`, the deferred packages, and the files that the route is granted. */
  readonly directory: string;
  /** Size of `index.js`: the code that every cold start loads. */
  readonly bytes: number;
  /** Packages that are loaded on first use, each a file next to `index.js`, with its size. */
  readonly deferred: readonly { readonly file: string; readonly bytes: number }[];
}

type Entry = Registered | RegisteredTimer;

export type BundleOptions = Partial<{
  /** All routes and timers by default. */
  readonly registry: readonly Entry[];
  /** The source of a function, relative to the project. */
  readonly entry: (registered: Entry) => string;
  /** Writes the files that `grants.files` names into a directory. */
  readonly writeFiles: (directory: string) => Promise<void>;
  /** Modules that are replaced by others. */
  readonly alias: Record<string, string>;
}>;

const defaults = {
  entry: ({ service, name }: Entry) => `functions/${service}/${name}.ts`,
  writeFiles: (directory: string) => writeDeployedFiles(directory),
  alias: {
    '@aws-sdk/credential-provider-node': './lib/deployment/bundling/env-credentials.ts',
    '@aws-sdk/endpoint-cache': './lib/deployment/bundling/endpoint-cache.ts',
    // The CommonJS build: the other finds its files by `import.meta.url`, which a bundle has not.
    pdfkit: './node_modules/pdfkit/js/pdfkit.js',
  },
};

/**
 * Bundles every function with all its imports; the same sources give the same bytes.
 *
 * The SDK is bundled too: loading it from the bundle is faster than loading the runtime's copy, and the version is the
 * one that was tested. A package that a function imports with `import()` stays out of `index.js`: it becomes a file of
 * its own in the same directory, which a cold start does not read.
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
  const packages = new Map<string, string>();
  const index = await build({
    ...settings(target, alias),
    entryPoints: bundles.map(({ registered, directory }) => ({
      in: entry(registered),
      out: join(directory, 'index'),
    })),
    plugins: [functionSources, unusedParts, deferPackages(packages)],
  });
  const withDeferred = bundles.map(({ registered, directory }) => {
    const code = index.metafile.outputs[relative(root, join(directory, 'index.js'))];
    if (code === undefined) throw new Error(`${registered.id} was not bundled`);
    const files = code.imports.map(({ path }) => path.replace('./', '')).filter((file) => packages.has(file));
    return { registered, directory, bytes: code.bytes, files: [...new Set(files)].sort() };
  });
  const deferred = await build({
    ...settings(target, alias),
    plugins: [standardFonts, unusedParts],
    entryPoints: withDeferred.flatMap(({ directory, files }) =>
      files.map((file) => ({ in: packages.get(file) ?? '', out: join(directory, file.replace('.js', '')) })),
    ),
  });
  await copyFiles(bundles, writeFiles);
  return withDeferred.map(({ registered: { id }, directory, bytes, files }) => ({
    id,
    directory,
    bytes,
    deferred: files.map((file) => {
      const code = deferred.metafile.outputs[relative(root, join(directory, file))];
      return { file, bytes: code?.bytes ?? 0 };
    }),
  }));
}

function settings(outdir: string, alias: Record<string, string>) {
  return {
    absWorkingDir: root,
    outdir,
    bundle: true,
    minify: true,
    // Two or three bytes for a character that is escaped with six.
    charset: 'utf8',
    platform: 'node',
    target: 'node24',
    // Importing Node's own modules as ES modules reads every export of theirs, which loads undici behind
    // `node:http` and WebCrypto behind `node:crypto`: 10 ms and more of a cold start. `require` does not.
    format: 'cjs',
    supported: { 'dynamic-import': false },
    // The ES modules of packages, from which esbuild removes unused code.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    alias,
    metafile: true,
    logLevel: 'warning',
  } as const satisfies BuildOptions;
}

const functionsDirectory = join(root, 'functions', '/');

/**
 * Leaves out code that packages import and no function uses.
 *
 * - `AdaptiveRetryStrategy`: the functions retry in the mode `standard`.
 * - `HeaderFormatter`, `@smithy/core/event-streams`: no service that the functions call has event streams.
 * - `Sha256Js`: SHA-256 in JavaScript, for runtimes without `node:crypto`.
 * - `getInstanceMetadataRegion`, `loadSharedConfigFiles`: an EC2 instance, and profiles in a home directory. Lambda has the
 *   settings in the environment.
 * - `brotli/decompress.js`: decompresses WOFF2, which the fonts of invoices are not; half a megabyte.
 */
const unusedParts: Plugin = {
  name: 'unused-parts',
  setup: ({ onResolve }) => {
    // Not an alias: an alias applies the settings of TypeScript to the module, and this does not. Whichever came first
    // would decide, and the bytes would differ from build to build.
    const path = join(import.meta.dirname, 'empty-module.ts');
    const files = [
      'AdaptiveRetryStrategy',
      'HeaderFormatter',
      'Sha256Js',
      'getInstanceMetadataRegion',
      'loadSharedConfigFiles',
    ];
    const packages = ['@smithy/core/event-streams', 'brotli/decompress.js'];
    const filter = new RegExp(`/(${files.join('|')})$|^(${packages.join('|')})$`);
    onResolve({ filter }, () => ({ path }));
  },
};

/**
 * Leaves the packages that functions import with `import()` to files of their own. Modules of the project stay in
 * `index.js` however they are imported: two copies of one would be two classes and two caches.
 *
 * @param packages receives the name of each file and the module that it is bundled from.
 */
function deferPackages(packages: Map<string, string>): Plugin {
  return {
    name: 'defer-packages',
    setup: ({ onResolve, onLoad, resolve }) => {
      onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        const isOurs = importer.startsWith(functionsDirectory);
        if (kind !== 'dynamic-import' || !isOurs || isBuiltin(path) || pluginData === packages)
          return undefined;
        // Marked with `pluginData`, so that this hook leaves the resolution to esbuild.
        const { path: source, errors } = await resolve(path, {
          kind,
          importer,
          resolveDir,
          pluginData: packages,
        });
        if (errors.length > 0) return { errors };
        const file = `${path.replaceAll(/[^a-z0-9]+/gi, '-')}.js`;
        packages.set(file, source);
        return { path: file, namespace: 'deferred' };
      });
      // Between the two, since a module of type "module" that requires a bundle takes all of it for the default export.
      onLoad({ filter: /./, namespace: 'deferred' }, ({ path }) => ({
        contents: `export * from './${path}'; export { default } from './${path}';`,
      }));
      onResolve({ filter: /./, namespace: 'deferred' }, ({ path }) => ({ path, external: true }));
    },
  };
}

const grantsOf = (entry: Entry): Grants => ('route' in entry ? entry.route.grants : entry.timer.grants);

/** Copies the files that a route is granted into the directory of its code. */
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
