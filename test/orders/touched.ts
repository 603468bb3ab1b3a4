import { build } from 'esbuild';
import { registered } from '../support/call.ts';
import { changedFiles } from '../support/changed-files.ts';

/** The operations whose functions contain a file that differs from main. @param ids all of them. */
export async function touchedOperations(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const fileOf = (id: string) => {
    const { service, name } = registered(id);
    return `functions/${service}/${name}.ts`;
  };
  const { metafile } = await build({
    entryPoints: ids.map(fileOf),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: '.local',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const changed = changedFiles();
  const touched = new Set(
    Object.values(metafile.outputs)
      .filter(({ inputs }) => Object.keys(inputs).some((file) => changed.has(file)))
      .map(({ entryPoint }) => entryPoint),
  );
  return new Set(ids.filter((id) => touched.has(fileOf(id))));
}
