// A click on a box makes it as wide as the picture, a click on "Reset zoom" shows everything;
// Ctrl+F or a click on "Search" marks the boxes whose names match a regular expression.
(function () {
  "use strict";
  var WIDTH = 1180;
  var LETTER = 7;
  var MARK = "rgb(230,0,230)";
  var frames = document.getElementById("frames");
  var details = document.getElementById("details");
  var unzoom = document.getElementById("unzoom");
  var search = document.getElementById("search");
  var matched = document.getElementById("matched");
  var boxes = Array.prototype.map.call(frames.children, function (group) {
    var rect = group.querySelector("rect");
    var tip = group.querySelector("title").textContent;
    return {
      group: group,
      rect: rect,
      label: group.querySelector("text"),
      tip: tip,
      name: tip.slice(0, tip.lastIndexOf(" (")),
      fill: rect.getAttribute("fill"),
      x: Number(rect.getAttribute("x")),
      y: Number(rect.getAttribute("y")),
      width: Number(rect.getAttribute("width")),
    };
  });

  function place(box, x, width) {
    box.group.style.display = "";
    box.rect.setAttribute("x", x.toFixed(2));
    box.rect.setAttribute("width", width.toFixed(2));
    var letters = Math.floor((width - 6) / LETTER);
    if (letters >= 3 && !box.label) {
      box.label = document.createElementNS("http://www.w3.org/2000/svg", "text");
      box.label.setAttribute("y", box.y + 11);
      box.group.appendChild(box.label);
    }
    if (box.label) {
      box.label.setAttribute("x", (x + 3).toFixed(2));
      var whole = Array.from(box.name);
      box.label.textContent = letters < 3 ? "" : whole.length <= letters ? box.name : whole.slice(0, letters - 2).join("") + "..";
    }
  }

  function zoom(to) {
    var scale = WIDTH / to.width;
    unzoom.style.display = to === boxes[0] ? "none" : "";
    boxes.forEach(function (box) {
      var isAround = box.y < to.y && box.x <= to.x + 0.005 && box.x + box.width >= to.x + to.width - 0.005;
      box.group.style.opacity = isAround ? 0.5 : 1;
      var x = (box.x - to.x) * scale;
      var width = box.width * scale;
      if (isAround) {
        place(box, 0, WIDTH);
      } else if (box.y < to.y || x < -0.01 || x + width > WIDTH + 0.01) {
        box.group.style.display = "none";
      } else {
        place(box, x, width);
      }
    });
  }

  function mark(text) {
    var pattern = null;
    try {
      pattern = text ? new RegExp(text) : null;
    } catch (error) {
      matched.textContent = "not a regular expression";
      return;
    }
    // Boxes come in preorder: what lies inside a match is counted with it.
    var sum = 0;
    var end = -1;
    boxes.forEach(function (box) {
      var isMatch = pattern !== null && pattern.test(box.name);
      box.rect.setAttribute("fill", isMatch ? MARK : box.fill);
      if (isMatch && box.x + 0.001 >= end) {
        sum += box.width;
        end = box.x + box.width;
      }
    });
    search.textContent = pattern ? "Reset search" : "Search";
    matched.textContent = pattern ? "Matched: " + ((100 * sum) / boxes[0].width).toFixed(1) + "%" : "";
  }

  function ask() {
    if (search.textContent === "Search") {
      mark(prompt("Regular expression for names", "") || "");
    } else {
      mark("");
    }
  }

  function boxOf(event) {
    var group = event.target.closest ? event.target.closest("#frames > g") : null;
    return boxes.find(function (box) {
      return box.group === group;
    });
  }

  frames.addEventListener("click", function (event) {
    var box = boxOf(event);
    if (box) {
      zoom(box);
    }
  });
  frames.addEventListener("mouseover", function (event) {
    var box = boxOf(event);
    details.textContent = box ? box.tip : "";
  });
  frames.addEventListener("mouseout", function () {
    details.textContent = "";
  });
  unzoom.addEventListener("click", function () {
    zoom(boxes[0]);
  });
  search.addEventListener("click", ask);
  window.addEventListener("keydown", function (event) {
    if ((event.ctrlKey || event.metaKey) && event.key === "f") {
      event.preventDefault();
      ask();
    }
  });
})();
