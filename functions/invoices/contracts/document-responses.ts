export const documentResponses = [
  {
    status: 200,
    description: 'The document in the media type that `Accept` prefers.',
    mediaType: 'text/html',
    headers: ['vary', 'content-disposition', 'content-security-policy', 'x-frame-options', 'referrer-policy'],
  },
  {
    status: 200,
    description: 'Bytes are returned only if `application/pdf` is the first media type of `Accept`.',
    mediaType: 'application/pdf',
    headers: ['vary', 'content-disposition', 'repr-digest'],
  },
] as const;
