/** The script of the keys on the pages of reviews, lib/console-page. */
import { deployedFile } from '../../shared/lambda/deployed-file.ts';

/** The text of the script, which stands in the page. */
export async function keysScript(): Promise<string> {
  return (await deployedFile('console.js')).text;
}
