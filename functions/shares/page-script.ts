import { ApiError } from '../shared/contract/errors.ts';
import { type Input, Reply } from '../shared/contract/route.ts';
import { deployedFile, fileReply } from '../shared/lambda/deployed-file.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { routes } from './routes.ts';
import { scriptFile, scriptName, scriptNamePattern } from './share-page.ts';

const scriptDeps = () => ({ deployedFile });

/**
 * Returns the script of the share page. A name with the hash of another version gets the script of this one, which no cache
 * may store: while two versions are deployed, the page of one can meet this function of the other.
 */
export async function readScript(
  { params, headers }: Input<(typeof routes)['page-script']>,
  { deployedFile }: ReturnType<typeof scriptDeps>,
): Promise<Reply> {
  if (!scriptNamePattern.test(params.file)) throw new ApiError('not_found');
  const file = await deployedFile(scriptFile);
  if (params.file === scriptName(file))
    return fileReply(file, headers['if-none-match'], routes['page-script'].cacheSeconds);
  return new Reply(200, { headers: { vary: 'accept-encoding', etag: file.etag }, body: file.text });
}

export const handler = endpoint(routes['page-script'], readScript, scriptDeps);
