export const bugs = {};
