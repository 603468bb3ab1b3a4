import { endpoint } from '../shared/lambda/endpoint.ts';
import { deployedFile } from './files.ts';
import { routes } from './routes.ts';

const documentDeps = () => ({ deployedFile });

/** Returns the OpenAPI document, generated from the routes of the same deployment. */
export async function readDocument(
  _: unknown,
  { deployedFile }: ReturnType<typeof documentDeps>,
): Promise<Record<string, unknown>> {
  return JSON.parse(await deployedFile('openapi.json'));
}

export const handler = endpoint(routes.document, readDocument, documentDeps);
