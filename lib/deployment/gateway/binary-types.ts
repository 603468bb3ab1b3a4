/**
 * Content types that API Gateway carries as bytes rather than as text. The first type that browsers accept when they follow
 * a link is `text/html`, also to a PDF. What a function returns as text stays text. A form with a file, and CSV for DATEV, have bytes
 * that are no UTF-8, which a text would lose.
 */
export const binaryTypes: readonly string[] = [
  'application/pdf',
  'text/html',
  'text/csv',
  'multipart/form-data',
];

/**
 * Whether API Gateway decodes a function's Base64 for a request with this `Accept`. API Gateway goes by the first type
 * alone, whatever the weights of the others; without a match, the caller receives the Base64 itself.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
 */
export function acceptsBinary(accept: string | undefined): boolean {
  const [first = ''] = (accept ?? '').split(/[,;]/, 1);
  return isBinary(first);
}

/** Whether a content type, with or without parameters, is a binary one. */
export function isBinary(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1);
  return binaryTypes.includes(type.trim().toLowerCase());
}
