/** The release whose data and indexes this one takes over: the newest folder of `test/fixtures`. */
export const lastRelease = '0.1.0';
