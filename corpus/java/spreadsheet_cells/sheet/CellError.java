package sheet;

final class CellError extends RuntimeException {
    CellError(String code) {
        super("#" + code);
    }
}
