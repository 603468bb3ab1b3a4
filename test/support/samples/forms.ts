/** Forms of pages, as browsers send them. */
export const formType = { 'content-type': 'application/x-www-form-urlencoded' };

export const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

/** The forms of a page. */
export const formsOf = (page: string): string[] => page.match(/<form[\s\S]*?<\/form>/g) ?? [];

/** The hidden fields of a form. */
export function hiddenFieldsOf(formHtml: string): Record<string, string> {
  const inputs = [...formHtml.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescaped(value)]));
}

/** The hidden fields of the form with the step's button. */
export const formWith = (page: string, step: string): Record<string, string> =>
  hiddenFieldsOf(formsOf(page).find((one) => one.includes(`name="step" value="${step}"`)) ?? '');

/** The fields of a form as a browser sends them when nobody changes one. */
export function fieldsOfForm(formHtml: string): Record<string, string> {
  const fields: [string, string][] = [];
  for (const [tag] of formHtml.matchAll(/<input[^>]*>/g)) {
    const [, name = ''] = /name="([^"]*)"/.exec(tag) ?? [];
    const [, value = 'on'] = /value="([^"]*)"/.exec(tag) ?? [];
    if (!/type="(checkbox|radio)"/.test(tag) || / checked/.test(tag)) fields.push([name, unescaped(value)]);
  }
  for (const [, name = '', text = ''] of formHtml.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)/g))
    fields.push([name, unescaped(text)]);
  for (const [, name = '', options = ''] of formHtml.matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g,
  )) {
    const [, first = ''] = /<option value="([^"]*)"/.exec(options) ?? [];
    const [, selected = first] = /<option value="([^"]*)" selected/.exec(options) ?? [];
    fields.push([name, unescaped(selected)]);
  }
  return Object.fromEntries(fields);
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');

/** A form with files, as browsers send it: its bytes and its headers. */
export async function multipart(
  fields: readonly (readonly [name: string, value: string | File])[],
): Promise<{ body: Uint8Array; headers: { 'content-type': string } }> {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  const encoded = new Response(data);
  const body = new Uint8Array(await encoded.arrayBuffer());
  return { body, headers: { 'content-type': encoded.headers.get('content-type') ?? '' } };
}
