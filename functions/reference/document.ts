import { endpoint } from '../shared/lambda/endpoint.ts';
import { packedFile } from './files.ts';
import { routes } from './routes.ts';

const documentDeps = () => ({ packedFile });

/** The OpenAPI document, as it was made from the routes that were deployed with it. */
export async function readDocument(
  _: unknown,
  { packedFile }: ReturnType<typeof documentDeps>,
): Promise<Record<string, unknown>> {
  return JSON.parse(await packedFile('openapi.json'));
}

export const handler = endpoint(routes.document, readDocument, documentDeps);
