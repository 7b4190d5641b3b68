import { Component, createElement, type ComponentType } from 'preact';

/** Renders again only if `same` returns false: the graph has thousands of elements. */
export function memo<P extends object>(Inner: ComponentType<P>, same: (a: Readonly<P>, b: Readonly<P>) => boolean): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !same(this.props, next);
    }

    override render() {
      return createElement(Inner, this.props);
    }
  };
}
