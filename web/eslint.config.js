import js from '@eslint/js';
import ts from 'typescript-eslint';

/** Folder → folders it may import from. Main sees everything; logic sees wire types only. */
const MAY_IMPORT = {
  api: [],
  logic: ['api'],
  offline: ['logic', 'api'],
  paint: ['logic', 'api'],
  ui: ['logic', 'api'],
  workers: ['logic'],
  state: ['logic', 'api'],
  views: ['state', 'ui', 'paint', 'logic', 'api', 'workers'],
};

const layer = ([folder, allowed]) => ({
  files: [`src/${folder}/**/*.{ts,tsx}`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          ...Object.keys(MAY_IMPORT)
            .filter((other) => other !== folder && !allowed.includes(other))
            .map((other) => ({
              group: [`**/${other}/*`],
              message: `${folder}/ may import only from: ${allowed.join(', ') || 'nothing'}.`,
            })),
          ...(folder === 'api' || folder === 'views' ? [] : [{ group: ['**/api/fetch'], message: 'Only state/ talks to the server.' }]),
        ].filter((pattern) => !(folder === 'state' && pattern.group[0] === '**/api/fetch')),
      },
    ],
  },
});

export default ts.config(
  { ignores: ['static', 'node_modules', 'src/api/schema.gen.ts'] },
  js.configs.recommended,
  ...ts.configs.strict,
  {
    files: ['**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      'max-lines': ['error', { max: 250 }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      eqeqeq: 'error',
    },
  },
  {
    // One file touches the window; everything else is handed what it needs.
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/main.tsx', 'src/place.ts', 'src/place-file.ts'],
    rules: { 'no-restricted-globals': ['error', 'window', 'document', 'history', 'location', 'localStorage', 'navigator'] },
  },
  {
    files: ['src/logic/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        'window',
        'document',
        'history',
        'location',
        'localStorage',
        'navigator',
        'fetch',
        'requestAnimationFrame',
        'setTimeout',
      ],
    },
  },
  ...Object.entries(MAY_IMPORT).map(layer),
  {
    files: ['vite.config.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        Buffer: 'readonly',
        document: 'readonly',
        window: 'readonly',
        getComputedStyle: 'readonly',
        fetch: 'readonly',
        URLSearchParams: 'readonly',
        innerWidth: 'readonly',
        localStorage: 'readonly',
        HTMLAnchorElement: 'readonly',
      },
    },
  },
);
