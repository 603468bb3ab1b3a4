export const adminRoute = { auth: 'operator', operatorScope: 'admin' } as const;

export const errors = { invalid: 'invalid_request', failed: 'server_error' } as const;

export const operatorRoute = { auth: 'operator', operatorScope: 'support' } as const;
