from sheet import Sheet, SheetError


def show(sheet, *names):
    for name in names:
        try:
            print(f"{name} = {sheet[name]:g}")
        except SheetError as error:
            print(f"{name}: {error}")


def main():
    sheet = Sheet()
    sheet["A1"] = 12
    sheet["A2"] = 30
    sheet["A3"] = "=A1+A2"
    sheet["B1"] = "=SUM(A1:A3)/2"
    sheet["B2"] = "=AVG(A1:B1)-C9"
    show(sheet, "A3", "B1", "B2")
    with sheet.count_evaluations() as count:
        show(sheet, "B1")
        sheet["A1"] = 2
        show(sheet, "B1")
    print("evaluated", count.total, "formulas")
    sheet["C1"] = "=C2*2"
    sheet["C2"] = "=COUNT(A1:C1)"
    show(sheet, "C1")
    sheet["C1"] = "=A1/C3"
    show(sheet, "C1", "C2")
    sheet["C2"] = "=PRODUCT(A1:A2)"
    show(sheet, "C2")


if __name__ == "__main__":
    main()
