// A stylesheet exports nothing. This lets TypeScript find `beckon/react/style.css`.
export {};
