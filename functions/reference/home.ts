import { jsonType } from '../shared/contract/headers.ts';
import { acceptsHtml } from '../shared/html/page.ts';
import { productName } from '../shared/html/theme.ts';
import { fileReply, textFile } from '../shared/lambda/deployed-file.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { homeFrame, homePage, places } from './home-page.ts';
import { homeRoute, type routes } from './routes.ts';

/** Returns the home page to a caller that accepts HTML, and its links as JSON to every other. */
export function readHome({ headers, baseUrl }: Input<typeof homeRoute>): Reply {
  const { cacheSeconds } = homeRoute;
  const linked = places(baseUrl);
  // A cache must not serve the page to a program.
  const vary = 'accept, accept-encoding';
  if (acceptsHtml(headers.accept)) {
    const page = textFile(homePage(linked));
    return fileReply(page, headers['if-none-match'], cacheSeconds, homeFrame.headers(), vary);
  }
  const body = textFile(
    JSON.stringify({
      name: productName,
      documentationUrl: linked.documentation,
      guidesUrl: linked.guides,
      openapiUrl: linked.openapi,
      authorizationServerUrl: linked.authorizationServer,
      shareUrl: linked.share,
      accountUrl: linked.account,
    } satisfies HomeResponse),
  );
  return fileReply(body, headers['if-none-match'], cacheSeconds, { 'content-type': jsonType }, vary);
}

type HomeResponse = Readonly<Record<keyof (typeof routes.home.response)['shape'], string>>;

export const handler = endpoint(homeRoute, readHome);
