import { deployedFile, fileReply } from '../shared/lambda/deployed-file.ts';
import { ApiError, endpoint, type Input, Reply } from '../shared/lambda/endpoint.ts';
import { pageScriptRoute } from './routes.ts';
import { scriptFile, scriptName, scriptNamePattern, servedPackage } from './share-page.ts';

/**
 * Returns the script of the share page, or the package for clients. A name with the hash of another version gets the script of
 * this one, which no cache may store: while two versions are deployed, the page of one can meet this function of the other.
 */
export async function readScript({ params, headers }: Input<typeof pageScriptRoute>): Promise<Reply> {
  if (!scriptNamePattern.test(params.file)) return readPackage(params.file);
  const file = await deployedFile(scriptFile);
  if (params.file === scriptName(file))
    return fileReply(file, headers['if-none-match'], pageScriptRoute.cacheSeconds);
  return new Reply(200, { headers: { vary: 'accept-encoding', etag: file.etag }, body: file.text });
}

/** The package of this version. No cache may store it, because its name stays the same when its bytes change. */
async function readPackage(name: string): Promise<Reply> {
  const { file, integrity } = await servedPackage();
  if (name !== file) throw new ApiError('not_found');
  const { text, etag } = await deployedFile('vouchsafe-client.tar');
  const headers = {
    'content-type': 'application/x-tar',
    'unencoded-digest': `${integrity.replace('sha512-', 'sha-512=:')}:`,
    vary: 'accept-encoding',
    etag,
  };
  return new Reply(200, { headers, body: text });
}

export const handler = endpoint(pageScriptRoute, readScript);
