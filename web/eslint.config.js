import js from '@eslint/js';
import ts from 'typescript-eslint';
import { folders } from './eslint-folders.js';

export default ts.config(
  { ignores: ['static', 'node_modules', 'templates', 'src/api/schema.gen.ts'] },
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
    files: ['src/**/*.{ts,tsx}'],
    // Tests are lists of cases.
    ignores: ['src/**/*.test.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 60 }] },
  },
  {
    // One file touches the window; everything else is handed what it needs.
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/main.tsx', 'src/place*.ts'],
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
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { heapview: { rules: { folders } } },
    rules: { 'heapview/folders': 'error' },
  },
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
        WebSocket: 'readonly',
      },
    },
  },
);
