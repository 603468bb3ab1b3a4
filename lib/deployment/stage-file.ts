import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** The settings that belong to one deployer, which the repository ignores: a file in the folder of `cdk.json`. */
export const stageFileName = 'stages.json';

const StageFile = z.record(z.string(), z.record(z.string(), z.unknown()));
/** By the names of stages. `null` removes a setting that the source has. */
export type StageFile = Readonly<z.infer<typeof StageFile>>;

/**
 * The settings of a file, which replace those of the source; none where there is no `stages.json`.
 *
 * @param given the path of another file.
 * @throws Error when a given file is missing, or a file is no object of objects in JSON.
 */
export function readStageFile(given: string | undefined): StageFile {
  if (given === undefined && !existsSync(stageFileName)) return {};
  const path = given ?? stageFileName;
  try {
    return StageFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`The settings of stages cannot be read from ${path}: ${reason}`);
  }
}
