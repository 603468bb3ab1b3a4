export const adminRoute = { auth: 'operator', operatorScope: 'admin' } as const;

export const operatorRoute = { auth: 'operator', operatorScope: 'support' } as const;
