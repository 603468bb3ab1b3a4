import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type GeoSource, geoSources, notice } from './sources.ts';

type Options = Partial<{
  /** Receives a message about data that is left out; emits a process warning by default. */
  readonly warn: (message: string) => void;
  readonly sources: readonly GeoSource[];
}>;

interface Installed {
  readonly source: GeoSource;
  readonly version: string;
  readonly directory: string;
}

/** The sources and contents of a directory. Written last, so that all the files it names exist. */
interface Manifest {
  readonly madeFrom: Readonly<Record<string, string>>;
  /** Sizes by file name. */
  readonly bytes: Readonly<Record<string, number>>;
}

const manifestName = 'manifest.json';

/**
 * Writes the databases that addresses are looked up in: `city-ipv4.mmdb`, `city-ipv6.mmdb`, `asn-ipv4.mmdb`,
 * `asn-ipv6.mmdb` (144 MB together), and the notices that their licenses require.
 *
 * The same packages give the same bytes. A current directory is left unchanged within milliseconds; writing it takes three
 * seconds. Several processes may write to one directory concurrently: each file appears whole. Data of packages that are
 * not installed is left out.
 *
 * @param directory created when absent.
 */
export async function writeGeoFiles(directory: string, options: Options = {}): Promise<void> {
  const { warn = (message) => process.emitWarning(message), sources = geoSources } = options;
  const installed = (await Promise.all(sources.map(find))).filter((one) => one !== undefined);
  for (const source of sources) {
    if (installed.some((one) => one.source === source)) continue;
    warn(`The optional package ${source.package} is not installed: ${source.gives} will read "Unknown".`);
  }
  const madeFrom = await provenance(installed);
  if (await isCurrent(directory, madeFrom)) return;

  const files = new Map<string, string | Buffer>();
  for (const { source, directory } of installed) {
    for (const { name, make } of source.files) files.set(name, await make(directory));
  }
  files.set('NOTICE', notice(installed.map(({ source }) => source)));
  // Another process may have finished first.
  if (!(await isCurrent(directory, madeFrom))) await install(directory, files, madeFrom);
}

/** The package of a source; undefined when it is not installed. */
async function find(source: GeoSource): Promise<Installed | undefined> {
  const { resolve } = createRequire(import.meta.url);
  let path: string;
  try {
    path = resolve(`${source.package}/package.json`);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
  const { version } = JSON.parse(await readFile(path, 'utf8'));
  return { source, version, directory: dirname(path) };
}

/** The packages and the code that the bytes of the files depend on. */
async function provenance(installed: readonly Installed[]): Promise<Manifest['madeFrom']> {
  const code = createHash('sha256');
  for (const name of (await readdir(import.meta.dirname)).sort()) {
    code.update(await readFile(join(import.meta.dirname, name)));
  }
  const versions = installed.map(({ source, version }) => [source.package, version] as const);
  return { ...Object.fromEntries(versions), converter: code.digest('hex') };
}

async function isCurrent(directory: string, madeFrom: Manifest['madeFrom']): Promise<boolean> {
  try {
    const manifest = await readManifest(directory);
    if (JSON.stringify(manifest.madeFrom) !== JSON.stringify(madeFrom)) return false;
    const sizes = Object.entries(manifest.bytes);
    const stats = await Promise.all(sizes.map(([name]) => stat(join(directory, name))));
    return sizes.every(([, bytes], i) => stats[i]?.size === bytes);
  } catch {
    return false;
  }
}

async function readManifest(directory: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(directory, manifestName), 'utf8'));
}

async function install(
  directory: string,
  files: ReadonlyMap<string, string | Buffer>,
  madeFrom: Manifest['madeFrom'],
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const before = await readManifest(directory).catch(() => undefined);
  await rm(join(directory, manifestName), { force: true });
  for (const name of Object.keys(before?.bytes ?? {})) {
    if (!files.has(name)) await rm(join(directory, name), { force: true });
  }
  for (const [name, content] of files) await writeWhole(join(directory, name), content);
  const sizes = [...files].map(([name, content]) => [name, Buffer.byteLength(content)] as const);
  const manifest: Manifest = { madeFrom, bytes: Object.fromEntries(sizes) };
  await writeWhole(join(directory, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Renames the file once it is complete, so that no reader sees part of it. */
async function writeWhole(path: string, content: string | Buffer): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    await writeFile(unfinished, content);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}
