import { join } from 'node:path';
import { writeGeoFiles } from './files.ts';

/** Survives between runs, and is removed with the packages that it was made from. */
const directory = join(import.meta.dirname, '../../node_modules/.cache/vouchsafe/geo-layer');

/** Directory of the geo data on this machine; `/opt/geo` in a deployment. */
export const geoDirectory = join(directory, 'geo');

/** Writes the contents of the Lambda layer unless they are current. Takes some seconds the first time. */
export async function writeGeoLayer(): Promise<string> {
  await writeGeoFiles(geoDirectory);
  return directory;
}
