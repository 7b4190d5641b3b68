import { expect, test } from 'vitest';
import { editorLink, isEditor } from './editor';

test('links are those that editors register', () => {
  expect(editorLink('vscode', '/home/me/a b.rs', 7)).toBe('vscode://file/home/me/a%20b.rs:7');
  expect(editorLink('cursor', 'C:\\x\\y.rs', 0)).toBe('cursor://file/C:/x/y.rs:1');
  expect(editorLink('zed', '/x/y#?.rs', 3)).toBe('zed://file/x/y%23%3F.rs:3');
  expect(editorLink('idea', '/x/y.rs', 3)).toBe('idea://open?file=%2Fx%2Fy.rs&line=3');
  expect(editorLink('none', '/x/y.rs', 3)).toBeUndefined();
  expect(editorLink('vscode', '', 3)).toBeUndefined();
});

test('only known editors are remembered', () => {
  expect(isEditor('zed')).toBe(true);
  expect(isEditor('javascript')).toBe(false);
  expect(isEditor(null)).toBe(false);
});
