import { join } from 'node:path';
import { writeGeoFiles } from './files.ts';

/** Kept between runs, and gone with the packages that it was made from. */
const directory = join(import.meta.dirname, '../../node_modules/.cache/vouchsafe/geo-layer');

/** Where the functions find the geo data on this machine; in a deployment it is `/opt/geo`. */
export const geoDirectory = join(directory, 'geo');

/** Writes what the Lambda layer holds, unless it is there. Takes some seconds the first time. */
export async function writeGeoLayer(): Promise<string> {
  await writeGeoFiles(geoDirectory);
  return directory;
}
