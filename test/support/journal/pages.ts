import { call, type Tenant } from '../call.ts';

/** The text of each page of the journal of an application, as the links lead to them. */
export const journalPages = (tenant: Tenant, query: Record<string, string>, accept?: string) =>
  textPages(tenant, 'journal.list', query, accept);

/** The rows of all pages of a list as CSV, whose cells need no quotation marks. */
export async function csvRows(
  tenant: Tenant,
  route: string,
  query: Record<string, string>,
): Promise<Record<string, string>[]> {
  const pages = await textPages(tenant, route, query, 'text/csv');
  return pages.flatMap((page) => {
    const [names = [], ...rows] = page
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    return rows.map((row) => Object.fromEntries(row.map((cell, at) => [names[at] ?? '', cell])));
  });
}

async function textPages(
  tenant: Tenant,
  route: string,
  query: Record<string, string>,
  accept = 'application/json',
): Promise<string[]> {
  const headers = { ...tenant.headers, accept };
  const pages: string[] = [];
  let next: Record<string, string> | undefined = query;
  while (next !== undefined) {
    const page: Awaited<ReturnType<typeof call>> = await call(route, { headers, query: next });
    pages.push(page.text);
    const { link } = page.headers;
    next =
      link === undefined
        ? undefined
        : Object.fromEntries(new URL(link.slice(1, link.indexOf('>'))).searchParams);
  }
  return pages;
}
