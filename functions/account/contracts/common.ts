export const html = 'text/html; charset=utf-8';
