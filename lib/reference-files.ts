import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { openApiDocument } from './openapi.ts';

/**
 * Writes the files that are packed with the code of functions: `openapi.json` and `docs.html`, the API reference as one
 * page that loads only that document; and `invoice-font.ttf`, for names that the standard fonts of PDF cannot show.
 *
 * @param directory created when absent.
 */
export async function writeReferenceFiles(directory: string): Promise<void> {
  const document = JSON.stringify(openApiDocument({ version: packageJson.version }), undefined, 2);
  const { resolve } = createRequire(import.meta.url);
  const [bundle, css] = await Promise.all([
    readFile(resolve('swagger-ui-dist/swagger-ui-bundle.js'), 'utf8'),
    readFile(resolve('swagger-ui-dist/swagger-ui.css'), 'utf8'),
  ]);
  const page = referencePage(bundle, css);
  await mkdir(directory, { recursive: true });
  await Promise.all([
    writeFile(join(directory, 'openapi.json'), document),
    writeFile(join(directory, 'docs.html'), page),
    copyFile(resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'), join(directory, 'invoice-font.ttf')),
  ]);
}

const start = `
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
});
`;

/** Hides parts of Swagger UI that say nothing here: the only server, links between operations, the license. */
const style = `
body { margin: 0; }
html:not(.dark-mode) { background: #fafafa; }
noscript { display: block; margin: 32px; font-family: sans-serif; }
.swagger-ui .info { margin: 32px 0 16px; }
.swagger-ui .info table tr :is(td, th) { padding: 4px 16px 4px 0 !important; }
.dark-mode .swagger-ui .header-col { color: #e4e6e6; }
.swagger-ui :is(.info__license, .schemes-server-container, .response-col_links),
.swagger-ui .scheme-container:not(:has(.auth-wrapper)) { display: none; }
`;

/** Swagger UI in one page. Its policy allows only the scripts in the page, and nothing from another host. */
function referencePage(bundle: string, css: string): string {
  // These would end a script element; in a JavaScript string the backslash changes nothing.
  const scripts = [bundle, start].map((script) => script.replace(/<(\/script|!--)/gi, '<\\$1'));
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  const policy = [
    "default-src 'none'",
    `script-src ${hashes.join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<!-- Contains Swagger UI, Copyright SmartBear Software Inc., Apache License 2.0. -->',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<link rel="icon" href="data:,">',
    '<title>Vouchsafe API reference</title>',
    `<style>${css}</style>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<noscript>The reference needs JavaScript; the document it shows is <a href="openapi.json">openapi.json</a>.</noscript>',
    '<div id="reference"></div>',
    ...scripts.map((script) => `<script>${script}</script>`),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
