import { endpoint } from '../shared/lambda/endpoint.ts';
import { packedFile } from './files.ts';
import { routes } from './routes.ts';

const pageDeps = () => ({ packedFile });

/** The reference as a page that needs nothing but the document. */
export async function readPage(_: unknown, { packedFile }: ReturnType<typeof pageDeps>): Promise<string> {
  return packedFile('docs.html');
}

export const handler = endpoint(routes.page, readPage, pageDeps);
