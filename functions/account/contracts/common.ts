export const html = 'text/html; charset=utf-8';

export const errors = { invalid: 'invalid_request', failed: 'server_error' } as const;
